import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Published schemas and certificates beside the checkout; they are not part of the project. */
const folder = join(import.meta.dirname, '../../../shared/data')

/** For `skip`: false if the certificates exist, else the reason. */
export const withoutRealCertificates: false | string = existsSync(folder)
  ? false
  : 'the folder of real certificates is missing'

export const publishedSchemas = join(folder, 'schemas')

/** One folder for each version. Two of them have the same name: a schema that its publisher changed in place. */
export const publishedPacks = (): readonly string[] =>
  globSync('*/v*', { cwd: publishedSchemas })
    .filter((path) => !path.includes('-before-'))
    .toSorted()
    .map((path) => join(publishedSchemas, path))

export type RealCertificate = {
  /** `en10168/v0.5.0/valid_certificate_1.json` */
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
  /** As its file name says. */
  readonly isValid: boolean
}

export const realCertificates = (): readonly RealCertificate[] => {
  const root = join(folder, 'certificates')
  return globSync('*/*/*.json', { cwd: root })
    .toSorted()
    .map((path) => {
      const name = relative(root, join(root, path)).replaceAll('\\', '/')
      const [family = '', , file = ''] = name.split('/')
      return {
        name,
        type: `${family}-schemas`,
        bytes: readFileSync(join(root, path)),
        isValid: /^(valid|malformed_logo)/.test(file),
      }
    })
}

export const realCertificate = (name: string): Buffer => readFileSync(join(folder, 'certificates', name))

/** The same certificate under the name of our own schema of its family. */
export const underOwnSchema = (certificate: RealCertificate): Buffer =>
  Buffer.from(
    certificate.bytes
      .toString('utf8')
      .replace(
        /("RefSchemaUrl":\s*")[^"]*"/,
        `$1https://schemas.millseal.org/${certificate.type}/v1.0.0/schema.json"`,
      ),
  )
