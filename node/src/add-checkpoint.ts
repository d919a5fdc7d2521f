import type { Hash } from '@millseal/proof'

/** The body of `POST add-checkpoint`. C2SP tlog-witness. */
export type CheckpointRequest = {
  readonly oldSize: number
  readonly proof: readonly Hash[]
  readonly note: string
}

export type CheckpointAnswer = {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422
  readonly text: string
}

const mostHashes = 63
const hashBytes = 32

/** Undefined if it is malformed. */
export const parseCheckpointRequest = (body: string): CheckpointRequest | undefined => {
  const end = body.indexOf('\n\n')
  const [first = '', ...lines] = body.slice(0, Math.max(0, end)).split('\n')
  const [, digits] = /^old (0|[1-9]\d{0,14})$/.exec(first) ?? []
  const proof = lines.map(readHash)
  const isWhole = proof.every((hash) => hash !== undefined)
  if (digits === undefined || !isWhole || proof.length > mostHashes) return undefined
  return { oldSize: Number(digits), proof, note: body.slice(end + 2) }
}

const readHash = (line: string): Hash | undefined => {
  const hash = Buffer.from(line, 'base64')
  return hash.length === hashBytes && hash.toString('base64') === line ? hash : undefined
}

export const refuse = (status: 400 | 403 | 404 | 422, why: string): CheckpointAnswer => ({
  status,
  text: `${why}\n`,
})

export const conflict = (size: number): CheckpointAnswer => ({ status: 409, text: `${size}\n` })
