import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Authority, readAuthority, type Stamped, StampRefused, stampsOn } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { plainLine, type TrustPolicy } from '@millseal/proof/verifier'
import type { Verification } from './verify-file.ts'

/** What authorities say of the time of a certificate, by their roots in the policy and in a file. Nothing if the file is not the recorded one. */
export const readStamps = async (
  path: string | undefined,
  { bundle, answers, facts }: Verification,
  policy: TrustPolicy,
): Promise<readonly Stamped[]> => {
  const authorities = await readAuthorities(path, policy)
  if (bundle === undefined || facts === undefined || answers.unchanged !== 'yes') return []
  return stampsOn({ bundle, policy, authorities }, nodePrimitives)
}

/** Those of the policy and of the file. */
export const readAuthorities = async (
  path: string | undefined,
  { authorities = [] }: TrustPolicy,
): Promise<readonly Authority[]> => {
  const named = authorities.map(({ name, root }) => authorityOf(name, root))
  return [...named, ...(path === undefined ? [] : await readRoots(path))]
}

const authorityOf = (name: string, root: Uint8Array): Authority => {
  const shown = plainLine(name, 80)
  try {
    return readAuthority(shown, root)
  } catch (error) {
    if (!(error instanceof StampRefused)) throw error
    throw new Error(`The policy: the root of the authority ${shown}: ${error.message}`, { cause: error })
  }
}

/** One certificate in DER, or one or several in PEM. */
const readRoots = async (path: string): Promise<readonly Authority[]> => {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new Error(`${path} does not exist, or cannot be read`, { cause })
  })
  const inPem = bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  return (inPem ?? [bytes]).map((root) => readRoot(root, path))
}

const readRoot = (root: string | Buffer, path: string): Authority => {
  try {
    const { subject, raw } = new X509Certificate(root)
    const name = /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
    return readAuthority(plainLine(name, 80), Uint8Array.from(raw))
  } catch (error) {
    const why = error instanceof StampRefused ? error.message : 'it has no certificate in PEM or DER'
    throw new Error(`${path} cannot be used: ${why}`, { cause: error })
  }
}
