import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { WrongCall } from '../frame/wrong-call.ts'
import { whereItWorks } from './where-it-works.ts'

export const operatorCreate = command({
  options: {
    email: { value: '<address>', required: true, about: 'how mails reach the operator' },
    username: {
      value: '<name>',
      about: 'to sign in with; without it, the part of the address before the @',
    },
  },
  details: `Makes an operator of the platform, who reviews companies. Somebody who is registered already is promoted and keeps
the password; otherwise the account is made, with a password that is printed this once.

${whereItWorks}`,
  examples: ['millseal operator create --email reviewer@example.com'],
  async run({ values: { email, username }, environment }) {
    if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > 254)
      throw new WrongCall('--email is not an e-mail address')
    if (username !== undefined && !/^[^@\s]{4,64}$/.test(username))
      throw new WrongCall('--username takes 4 to 64 characters, none of them a blank or an @')
    const make = (await installation(environment)).makeOperator
    const made = await make({ email, ...(username === undefined ? {} : { username }) })
    const password = made.password?.reveal()
    return {
      result: { ...made, ...(password === undefined ? {} : { password }) },
      said: tell(made, password),
    }
  },
})

type Made = { readonly username: string; readonly email: string; readonly outcome: string }

const outcomes: Readonly<Record<string, string>> = {
  created: 'is a new operator',
  promoted: 'was registered already and is an operator now',
  unchanged: 'was an operator already',
}

const tell = ({ username, email, outcome }: Made, password: string | undefined): string =>
  [
    `${username} (${email}) ${outcomes[outcome] ?? outcome}.`,
    password === undefined
      ? '  The password stays as it is.'
      : `  Password  ${password}\n  It is shown this once.`,
    '',
  ].join('\n')
