import { resolve } from "node:path";

/** The whole path of a file for output. What names a folder still does, which the farm refuses: `logs/` is no file `logs`. */
export function outputPath(path: string): string {
  const whole = resolve(path);
  return path.endsWith("/") && whole !== "/" ? `${whole}/` : whole;
}
