import { createHash, randomBytes } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'

export const newLinkToken = (): Secret => new Secret(randomBytes(32).toString('base64url'))

export const hashLinkToken = (token: Secret): Buffer => createHash('sha256').update(token.reveal()).digest()
