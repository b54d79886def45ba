/** MiB to the last digit, as people write them: `8 GiB`, and `1,536 MiB` where it is no whole number of GiB. */
export function memoryText(memoryMiB: number): string {
  return memoryMiB % 1024 === 0
    ? `${(memoryMiB / 1024).toLocaleString("en")} GiB`
    : `${memoryMiB.toLocaleString("en")} MiB`;
}
