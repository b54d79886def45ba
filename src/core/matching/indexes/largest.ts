export function largest(amounts: Int32Array): number {
  let most = 0;
  for (const amount of amounts) if (amount > most) most = amount;
  return most;
}
