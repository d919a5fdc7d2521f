import { paths } from '../../../http/pages/links.ts'
import { type MailLink, unsubscribeLink } from '../../../lib/mail-layout.ts'

const hidden = `${paths.unsubscribe}/[hidden]`

/** Members read the mails of their company: what is stored does not have the link with which its receiver unsubscribes. */
export const hiddenUnsubscribeLink = (company: string, publicUrl: string): MailLink =>
  unsubscribeLink({ companyName: company, unsubscribeUrl: `${publicUrl}${hidden}` })

const inText = /\n[^\n]*:\n[^\n]*\/unsubscribe\/\[hidden\]$/
const inHtml = /<div><a[^>]*\/unsubscribe\/\[hidden\]"[^>]*>[^<]*<\/a><\/div>/

/** Of text or HTML. Without a URL, because the company was deleted, there is no link. */
export const withUnsubscribeLink = (text: string, url: string | undefined): string =>
  url === undefined
    ? text.replace(inText, '').replace(inHtml, '')
    : text.replaceAll(/https?:\/\/[^\s"]*\/unsubscribe\/\[hidden\]/g, () => url)
