/** What a job waits for that only pools might hold whose machines nobody knows: the farm has not reached their engines yet. */
export function awaitedText(pools: readonly { readonly name: string }[]): string {
  const names = pools.map(({ name }) => name).join(", ");
  return pools.length === 1
    ? `pool ${names} has not been reached yet, and its machines are not known`
    : `none of the pools ${names} has been reached yet, and their machines are not known`;
}
