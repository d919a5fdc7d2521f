const everyMs = 10

export type Gaps = Disposable & {
  /** The longest time since the start in which no timer of this process ran when it was due. */
  longestMs(): number
}

export const monitorGaps = (): Gaps => {
  let last = performance.now()
  let longest = 0
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - everyMs)
    last = now
  }
  const timer = setInterval(look, everyMs)
  return {
    longestMs() {
      look()
      return longest
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
