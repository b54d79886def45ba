import type { FarmFrame, FarmFrames } from "../../simulation/packing/frames.ts";

/** Frames that show a run's course: the first, the last, and some in between at equal steps. */
export function chosenFrames({ frames }: FarmFrames, most = 4): FarmFrame[] {
  const count = Math.min(most, frames.length);
  return Array.from({ length: count }, (_, i) =>
    count === 1 ? frames[0]! : frames[Math.round((i * (frames.length - 1)) / (count - 1))]!,
  );
}

/** For each time the frame taken nearest to it. */
export function framesNear({ frames }: FarmFrames, seconds: readonly number[]): FarmFrame[] {
  return frames.length === 0
    ? []
    : seconds.map((time) =>
        frames.reduce((best, frame) =>
          Math.abs(frame.timeSeconds - time) < Math.abs(best.timeSeconds - time) ? frame : best,
        ),
      );
}
