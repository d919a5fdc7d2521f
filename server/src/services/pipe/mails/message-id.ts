const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const pattern = new RegExp(`^<?${uuid}\\.(${uuid})@`)

/** The same at every attempt. It begins with the id of the event, which webhooks and MQTT carry too. */
export const messageIdOf = ({ id, eventId }: { readonly id: string; readonly eventId: string }): string =>
  `${eventId}.${id}`

/** The mail that a Message-ID, as a provider repeats it, is of; undefined where it is none of these. */
export const mailIdIn = (messageId: string): string | undefined => pattern.exec(messageId)?.[1]
