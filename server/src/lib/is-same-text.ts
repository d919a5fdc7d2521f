import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes the same time wherever the texts differ, for secrets. */
export const isSameText = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
