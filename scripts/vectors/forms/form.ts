import type { VectorCases } from '../cases';
import { MalformedVectors, type Values } from '../values';
import { drift } from './drift';
import { gradients } from './gradients';
import { moments } from './moments';
import { norms } from './norms';
import { probes } from './probes';
import { theorem } from './theorem';
import { valueClasses } from './valueClasses';
import { whitening } from './whitening';

/** The cases of a file, whose form its own keys tell. */
export function casesOf(file: Values): VectorCases {
  if (file.has('parts')) return moments(file);
  if (file.has('rows')) return theorem(file);
  if (file.has('histograms')) return drift(file);
  if (file.has('per_sample')) return gradients(file);
  if (file.has('weights')) return probes(file);
  if (file.has('float16') || file.has('float32')) return valueClasses(file);
  if (file.has('cases')) {
    const [first] = file.objects('cases');
    return first?.has('kind') ? norms(file) : whitening(file);
  }
  throw new MalformedVectors(`${file.where} is of no form of vector file that is known.`);
}
