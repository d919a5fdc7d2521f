import type { TestHouse } from './house.ts'
import { linkIn } from './house.ts'

export const password = 'correct horse battery'

export type Person = {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly accessToken: string
  readonly refreshToken: string
}

/** Registers, opens the mailed link and signs in, as a person would. */
export const signUp = async (house: TestHouse, username: string): Promise<Person> => {
  const email = `${username}@example.com`
  const client = house.client()
  const { id } = await client.registerUser({ body: { username, email, password } })
  const [mail = ''] = await house.mailsTo(email, 1)
  await fetch(linkIn(mail), { redirect: 'manual' })
  const { accessToken, refreshToken } = await client.login({ body: { username, password } })
  return { id, username, email, accessToken, refreshToken }
}
