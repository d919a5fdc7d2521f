import { type Cookie, hostCookie } from '../cookies.ts'

const linkSeconds = 60 * 60

/** The token of a link for a new password, once the link was opened. `Lax`, because the mail may be on another site. */
export const passwordLinkCookie = (publicUrl: string): Cookie =>
  hostCookie(publicUrl, { name: 'millseal-password-link', sameSite: 'Lax', seconds: linkSeconds })
