/** The greatest common divisor; `first` if `second` is not above 0. */
export function commonDivisor(first: number, second: number): number {
  let divisor = first;
  let rest = Math.max(0, second);
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}
