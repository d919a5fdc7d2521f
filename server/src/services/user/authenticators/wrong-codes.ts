/** Wrong codes of one authenticator, or of a recovery code; the count is kept while each follows the last within an hour. */
export type WrongCodes = { readonly failures: number; readonly failedAt: Date | undefined }

const allowed = 5
const rememberedMs = 60 * 60 * 1_000

export const isLocked = (wrong: WrongCodes, now: Date): boolean =>
  wrong.failures >= allowed && isRemembered(wrong, now)

/** A right code in between changes nothing: it must not hand whoever guesses another five. */
export const oneMore = (wrong: WrongCodes, now: Date): { failures: number; failedAt: Date } => ({
  failures: isRemembered(wrong, now) ? wrong.failures + 1 : 1,
  failedAt: now,
})

const isRemembered = ({ failedAt }: WrongCodes, now: Date): boolean =>
  failedAt !== undefined && now.getTime() - failedAt.getTime() < rememberedMs
