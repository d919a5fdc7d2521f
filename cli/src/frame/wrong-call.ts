/** The person who called can put it right: exit code 2. */
export class WrongCall extends Error {
  override readonly name = 'WrongCall'
}
