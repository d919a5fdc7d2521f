/** How many bits of these values, all of one length, are not the same in each: of random ones, practically all. */
export const changingBits = ([first, ...others]: readonly Uint8Array[]): number => {
  if (first === undefined) return 0
  return first.reduce((sum, byte, at) => {
    const changed = others.reduce((bits, other) => bits | (byte ^ (other[at] ?? byte)), 0)
    return sum + changed.toString(2).replaceAll('0', '').length
  }, 0)
}
