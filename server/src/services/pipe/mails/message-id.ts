const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const pattern = new RegExp(`^${uuid}\\.(${uuid})$`)

/** The same at every attempt. It starts with the id of the event, which webhooks and MQTT carry as well. */
export const messageIdOf = ({ id, eventId }: { readonly id: string; readonly eventId: string }): string =>
  `${eventId}.${id}`

/** The first part of a Message-ID as the mail provider repeats it; undefined if it is not one of ours. */
export const messageIdIn = (text: string, domain: string): string | undefined => {
  const [, id, at] = /^<?([\w.-]{1,128})@([^<>]*)>?$/.exec(text.trim()) ?? []
  return at?.toLowerCase() === domain.toLowerCase() ? id : undefined
}

/** The id of the mail, if a mail hook caused it. */
export const mailIdIn = (messageId: string): string | undefined => pattern.exec(messageId)?.[1]
