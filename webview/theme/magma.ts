import { mix, type Rgb } from './colour';

/** Magma (Smith and van der Walt, 2015) at equal distances from 0 to 1, as RRGGBB. */
const COLOURS = (
  '000004 050416 100b2d 1d1147 2c115f 3f0f72 51127c 601880 721f81 832681 932b80 a5317e b73779 ' +
  'c73d73 d8456c e75263 f1605d f8745c fc8961 fd9b6b feb078 fec488 fed799 fdebac fcfdbf'
)
  .split(' ')
  .map((hex): Rgb => {
    const bits = Number.parseInt(hex, 16);
    return [bits >> 16, (bits >> 8) & 255, bits & 255];
  });

/**
 * A colour of the map at a place from 0 to 1, to within 4 of 255 in each channel: what
 * `d3-scale-chromatic` has in full, with three other maps, is larger than all heat map code.
 */
export function magma(place: number): Rgb {
  const at = Math.min(1, Math.max(0, place)) * (COLOURS.length - 1);
  const lower = Math.min(COLOURS.length - 2, Math.floor(at));
  const [from, to] = [COLOURS[lower], COLOURS[lower + 1]];
  return from && to ? mix(from, to, at - lower) : [0, 0, 0];
}
