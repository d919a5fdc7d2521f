import { readFile } from 'node:fs/promises'
import { limits } from '@millseal/contract'

/** In the repository. */
export const commonPasswordsFile = 'server/src/services/user/users/common-passwords.txt'

/** The file that the server checks new passwords against: the licence of its source, a line with dashes, and the passwords. */
export const commonPasswords = async (): Promise<string> => {
  const main = import.meta.resolve('@zxcvbn-ts/language-common')
  const read = (name: string) => readFile(new URL(`../${name}`, main), 'utf8')
  const { name, version } = JSON.parse(await read('package.json')) as { name: string; version: string }
  const all = JSON.parse(await read('src/passwords.json')) as readonly string[]
  const { minLength } = limits.password
  const long = [...new Set(all.map((one) => one.toLowerCase()))].filter(({ length }) => length >= minLength)
  const licence = (await read('LICENSE.txt')).trimEnd()
  return `The passwords of at least ${minLength} characters in ${name} ${version}, the most common first. Written by script/dump.\n\n${licence}\n---\n${long.join('\n')}\n`
}
