/**
 * Whether the API server refuses something since no role allows it. It forbids other things too, such as new objects in
 * a namespace that is being deleted.
 */
export function isOfRights(message: string): boolean {
  return /\bcannot \w+ resource\b/.test(message);
}
