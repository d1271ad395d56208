import type { CaptureSession } from '../core/captureSession';
import type { TensorBreakpoints } from './interposer/tensorBreakpoints';
import { tensorStopWords, type TensorStops } from './tensorStopWords';

/** A capture session as the interposer's tensor breakpoints need it. */
export function tensorBreakpointsOf(
  capture: CaptureSession,
  stops: TensorStops,
): TensorBreakpoints {
  return {
    set: (breakpoints) => capture.setTensorBreakpoints(breakpoints),
    takeStop: (pid) => {
      const stop = capture.takeTensorStop(pid);
      if (!stop) return undefined;
      stops.happened(stop);
      return tensorStopWords(stop, stops);
    },
  };
}
