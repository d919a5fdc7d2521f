/** The seal of a PDF proves nothing. Its message is a sentence for people. */
export class SealRefused extends Error {
  override readonly name = 'SealRefused'
}
