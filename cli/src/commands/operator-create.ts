import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { installationHelp } from './installation-help.ts'

export const operatorCreate = command({
  options: {
    email: { value: '<address>', required: true, about: 'the e-mail address of the operator' },
    username: {
      value: '<name>',
      about: 'the name to sign in with; default: the part of the address before the @',
    },
  },
  description: `Creates an operator of the service, who reviews companies, and prints the password once. If a user with this address
exists, the command promotes the user, who keeps the password.

${installationHelp}`,
  examples: ['millseal operator create --email reviewer@example.com'],
  async run({ values: { email, username }, environment }) {
    if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > 254)
      throw new UsageError('--email must be an e-mail address')
    if (username !== undefined && !/^[^@\s]{4,64}$/.test(username))
      throw new UsageError('--username must have 4 to 64 characters without spaces and @')
    const made = await (await installation(environment)).makeOperator({ email, username })
    const password = made.password?.reveal()
    return { result: { ...made, password }, text: textOf(made, password) }
  },
})

type Made = { readonly username: string; readonly email: string; readonly outcome: string }

const outcomes: Readonly<Record<string, string>> = {
  created: 'is a new operator',
  promoted: 'was a user and is now an operator',
  unchanged: 'is already an operator',
}

const textOf = ({ username, email, outcome }: Made, password: string | undefined): string =>
  [
    `${username} (${email}) ${outcomes[outcome] ?? outcome}.`,
    password === undefined
      ? '  The password does not change.'
      : `  Password  ${password}\n  It is shown only once.`,
    '',
  ].join('\n')
