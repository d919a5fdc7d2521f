/** The time stamp proves nothing. Its message is a sentence for people. */
export class StampRefused extends Error {
  override readonly name = 'StampRefused'
}
