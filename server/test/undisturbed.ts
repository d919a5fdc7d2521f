import { monitorGaps } from './gaps.ts'

/** Longer than this, and the process did not run: it was stopped, or the machine ran others. */
const mostGapMs = 100
/** Each attempt is independent; so many in a row are disturbed only if the code itself blocks the process. */
const mostAttempts = 50

/**
 * For a test that is about a deadline. An attempt during which the machine stopped this process says nothing about the
 * code: it is made again. Without a disturbance the result, or the error, is that of the first attempt.
 */
export const undisturbed = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let made = 0; made < mostAttempts; made += 1) {
    using gaps = monitorGaps()
    const outcome = await attempt().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if (gaps.longestMs() > mostGapMs) continue
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
  throw new Error(`Disturbed ${mostAttempts} times: the code blocks the process, or the machine stands still`)
}
