import { isAbsolute, join } from "node:path";

/** @param root under which the files are at their paths; absent: they are where they are */
export function seenFrom(folder: string, path: string, root = ""): string {
  return root + (isAbsolute(path) ? path : join(folder, path));
}
