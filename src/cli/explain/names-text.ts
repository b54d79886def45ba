export function machines(count: number): string {
  return count === 1 ? "1 machine" : `${count} machines`;
}

export function jobs(numbers: readonly number[]): string {
  return numbers.length === 1 ? `job ${numbers[0]}` : `jobs ${numbers.join(", ")}`;
}
