/** Text, HTML, logo and headers. */
const otherBytes = 512 * 1024

/** Whether mail servers that accept `mailBytes` accept a mail with attachments of this size, which are in base64 lines. */
export const fitsInMail = (attachedBytes: number, mailBytes: number): boolean =>
  Math.ceil(attachedBytes / 57) * 78 + otherBytes <= mailBytes
