import { Secret } from '../lib/secret.ts'
import { setting, url } from './setting-values.ts'

const optional =
  (pattern: RegExp, wanted: string) =>
  (value: string): string | undefined => {
    if (value !== '' && !pattern.test(value)) throw new Error(wanted)
    return value === '' ? undefined : value
  }

/** `s3://bucket/name`, in the store of these settings. */
export const s3Address =
  /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])\/((?:[\w-][\w.-]{0,99}\/){0,9}[\w-][\w.-]{0,99})$/

/** Of the bucket for MILLSEAL_FILES=s3. */
export const s3Settings = {
  s3Bucket: setting({
    name: 'MILLSEAL_S3_BUCKET',
    about: 'Name of the bucket for MILLSEAL_FILES=s3. It must exist.',
    fallback: '',
    read: optional(
      /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/,
      'a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    ),
  }),
  s3Prefix: setting({
    name: 'MILLSEAL_S3_PREFIX',
    about: 'Begins the names of all objects, so that installations can share a bucket.',
    fallback: '',
    read: optional(
      /^(?:[\w-][\w.-]{0,99}\/){0,9}[\w-][\w.-]{0,99}$/,
      'letters, digits, dots, hyphens and underscores, in folders like a/b, without a slash at the ends',
    ),
  }),
  s3Endpoint: setting({
    name: 'MILLSEAL_S3_ENDPOINT',
    about: 'URL of the S3 store; by default that of AWS in MILLSEAL_S3_REGION.',
    fallback: '',
    read: (value): string | undefined => {
      const endpoint = url('http:', 'https:')(value)
      const { pathname, search, hash, username, password } = new URL(endpoint ?? 'http://none')
      if (pathname !== '/' || `${search}${hash}${username}${password}` !== '')
        throw new Error('a URL with a host and a port only, for example https://s3.example.com')
      return endpoint
    },
  }),
  s3Region: setting({
    name: 'MILLSEAL_S3_REGION',
    about: 'Region of the bucket. Stores other than AWS mostly accept any.',
    fallback: 'us-east-1',
    read: (value): string => {
      if (!/^[a-z\d][a-z\d-]{0,61}$/.test(value)) throw new Error('a region, for example eu-central-1')
      return value
    },
  }),
  s3Addressing: setting({
    name: 'MILLSEAL_S3_ADDRESSING',
    about: 'Where the bucket is in addresses: path (https://host/bucket) or host (https://bucket.host).',
    fallback: 'path',
    read: (value): 'path' | 'host' => {
      if (value !== 'path' && value !== 'host') throw new Error('path or host')
      return value
    },
  }),
  s3KeyId: setting({
    name: 'MILLSEAL_S3_KEY_ID',
    about: 'Id of the access key, which may read, write, list and delete objects of the bucket.',
    fallback: '',
    read: optional(/^[\w./+=-]{1,128}$/, 'the id of an access key'),
  }),
  s3Secret: setting({
    name: 'MILLSEAL_S3_SECRET',
    about: 'Secret of that access key.',
    fallback: '',
    read: (value): Secret | undefined => {
      if (!/^[\u0021-\u007e]{0,1000}$/.test(value))
        throw new Error('the secret of an access key, on one line')
      return value === '' ? undefined : new Secret(value)
    },
  }),
}
