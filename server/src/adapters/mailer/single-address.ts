import { domainToASCII } from 'node:url'
import { because } from '@millseal/contract/reasons'
import { type MailAddress, MailRefused } from '../../ports/mailer/mailer.ts'

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const domainName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** Accepts exactly one mailbox: no list, no quoting, no comment, no address in brackets. */
export const toSingleAddress = ({ name, address }: MailAddress): Required<MailAddress> => {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1))
  if (at < 1 || local.length > 64 || !localPart.test(local) || !domainName.test(domain)) {
    throw new MailRefused(because('mail_address_invalid'))
  }
  return { name: toOneLine(name ?? ''), address: `${local}@${domain}` }
}

/** `Name <address>` or a bare address, as in the setting for the sender. */
export const parseSender = (sender: string): Required<MailAddress> => {
  const [, name, address] = /^\s*(?:"?([^"<>]*?)"?\s*<([^<>]*)>)\s*$/.exec(sender) ?? []
  return toSingleAddress({ name: name ?? '', address: address ?? sender.trim() })
}

/** Replaces line ends and other control characters by a space, so that they cannot add a header. */
export const toOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
