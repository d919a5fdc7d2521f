import { cpSync, existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Published schemas and certificates beside the checkout; they are not part of the project. */
const folder = join(import.meta.dirname, '../../../shared/data')

/** For `skip`: false if the certificates exist, else the reason. */
export const withoutRealCertificates: false | string = existsSync(folder)
  ? false
  : 'the folder of real certificates is missing'

const schemas = join(folder, 'schemas')

/** A version that its publisher changed in place: what it was before has the same name. */
const isFormer = (path: string): boolean => path.includes('-before-')

/** Copies the published schemas, as a pack: each name once. */
export const copyPublishedSchemas = (target: string): void =>
  cpSync(schemas, target, { recursive: true, filter: (path) => !isFormer(path) })

export type RealCertificate = {
  /** `en10168/v0.5.0/valid_certificate_1.json` */
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
  /** As its file name says. */
  readonly isValid: boolean
  /** Its schema is in the pack of `copyPublishedSchemas`. */
  readonly isInPack: boolean
}

export const realCertificates = (): readonly RealCertificate[] => {
  const root = join(folder, 'certificates')
  return globSync('*/**/*.json', { cwd: root })
    .toSorted()
    .map((path) => {
      const name = path.replaceAll('\\', '/')
      const [family = '', version = ''] = name.split('/')
      const type = `${family}-schemas`
      return {
        name,
        type,
        bytes: readFileSync(join(root, path)),
        isValid: /^(valid|malformed_logo)/.test(basename(path)),
        isInPack: !isFormer(name) && existsSync(join(schemas, type, version)),
      }
    })
}

/** Where the schema of a certificate is, if its publisher's is here. */
export const publishedSchemaOf = ({ name, type }: RealCertificate): string =>
  join(schemas, type, name.split('/')[1] ?? '', 'schema.json')

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
