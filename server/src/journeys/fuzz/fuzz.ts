import fc from 'fast-check'
import { type Actor, type Asker, createAsker } from './ask.ts'
import type { Answer } from './check-answer.ts'
import type { Api, ApiOperation } from './read-api.ts'
import { type FuzzRequest, malformedOf, requestsTo } from './requests.ts'
import { createValidators, type Validators } from './validators.ts'
import type { Knowledge } from './values.ts'

/** The callers of a round. */
export type Cast = {
  readonly actors: readonly Actor[]
  /** Records of the actors, by the first word of a path. */
  readonly ids: Readonly<Record<string, readonly string[]>>
  /** A caller without access to these records. */
  readonly stranger: Actor
}

export type Target = {
  readonly url: string
  readonly api: Api
  readonly documents: Knowledge['documents']
  /** Reading operations whose records can still be read once they are deleted. */
  readonly kept: readonly string[]
  /** Called before each round: replaces callers that lost their access in the last one. */
  readonly cast: () => Promise<Cast>
}

export type Outcome = {
  readonly requests: number
  readonly findings: readonly string[]
  readonly accepted: ReadonlySet<string>
}

type Round = {
  readonly target: Target
  readonly asker: Asker
  readonly validators: Validators
  readonly cast: Cast
  readonly number: number
  /** Records found in this round. */
  readonly learned: Record<string, string[]>
}

type Run = {
  readonly seed: number
  readonly rounds: number
  /** Ends the run after this round if another one cannot find more. */
  readonly isEnough?: (findings: readonly string[]) => boolean
}

/** Rounds of requests to every operation. The same seed gives the same requests, except for ids of records. */
export const fuzz = async (
  target: Target,
  { seed, rounds, isEnough = () => false }: Run,
): Promise<Outcome> => {
  const validators = createValidators(target.api)
  const asker = createAsker(target.url, validators)
  try {
    for (let number = 0; number < rounds && !isEnough(asker.findings()); number += 1) {
      const round = { target, asker, validators, cast: await target.cast(), number, learned: {} }
      await askAll(round, seed)
    }
  } finally {
    await asker.close()
  }
  return { requests: asker.requests(), findings: asker.findings(), accepted: asker.accepted }
}

const askAll = async (round: Round, seed: number): Promise<void> => {
  const { target, asker, cast, learned } = round
  for (const [index, operation] of target.api.operations.entries()) {
    const number = round.number * target.api.operations.length + index
    const actor = cast.actors[number % cast.actors.length]
    if (actor === undefined) throw new Error('Nobody is there to ask')
    const [request] = fc.sample(requestsTo(operation, knowing(round, operation, actor)), {
      seed: seed + number,
      numRuns: 1,
    })
    if (request === undefined) continue
    const asActor = operation.access === 'other' ? undefined : actor
    if (operation.bodies.size > 0)
      await asker.ask(operation, malformedOf(request, index + round.number), asActor)
    const answer = await asker.ask(operation, request, asActor)
    if (answer === undefined) continue
    ;(learned[nounOf(operation)] ??= []).unshift(...idsIn(answer))
    if (round.number % 3 === 0) await askWithoutToken(round, operation, request)
    if (round.number % 3 === 1) await askAsStranger(round, operation, { request, actor })
    if (request.method === 'DELETE' && answer.status < 400) await askOnceDeleted(round, request, actor)
  }
}

const knowing = ({ target, validators, cast, learned }: Round, operation: ApiOperation, actor: Actor) => {
  const noun = nounOf(operation)
  const own = [...(learned[noun] ?? []).slice(0, 4), ...(cast.ids[noun] ?? [])]
  // Records of the operation count three times: otherwise hardly any request would get past 404.
  const ids = [...own, ...own, ...own, ...Object.values(cast.ids).flat()]
  return {
    api: target.api,
    knowledge: { ids, documents: target.documents },
    validatorOf: validators.ofRequests,
    company: actor.company,
  }
}

const forger = { name: 'a forger', token: 'eyJhbGciOiJub25lIn0.eyJraW5kIjoidXNlciJ9.', company: '' }

const askWithoutToken = async ({ asker }: Round, operation: ApiOperation, request: FuzzRequest) => {
  if (operation.access === 'open') return
  for (const who of [undefined, forger]) {
    const refused = await asker.ask(operation, { ...request, wrong: 'it has no access token' }, who)
    const mustBe401 = operation.access === 'bearer' && !isMalformed(request)
    if (mustBe401 && refused !== undefined && refused.status !== 401)
      asker.find(`${refused.status} instead of 401`, operation, request)
  }
}

/** A path that cannot be read, or is too long, is refused before anybody asks who is calling. */
const isMalformed = ({ path }: FuzzRequest): boolean =>
  path.length > 1_900 || /%(?![0-9a-f]{2})|%00|%ff/i.test(path)

const askAsStranger = async (
  { asker, cast }: Round,
  operation: ApiOperation,
  { request, actor }: { request: FuzzRequest; actor: Actor },
) => {
  const [path = ''] = request.path.split('?')
  const isOurs = Object.values(cast.ids)
    .flat()
    .some((id) => path.includes(id))
  if (operation.access !== 'bearer' || !isOurs) return
  const headers = { ...request.headers, company: actor.company }
  await asker.ask(operation, { ...request, headers, wrong: 'it is a stranger who asks' }, cast.stranger)
}

const askOnceDeleted = async ({ target, asker }: Round, request: FuzzRequest, actor: Actor) => {
  const { path, headers } = request
  const [address = ''] = path.slice(target.api.basePath.length).split('?')
  const reading = target.api.operations.find(
    (operation) => operation.method === 'GET' && isAt(operation.path, address),
  )
  if (reading === undefined || !reading.path.includes('{') || target.kept.includes(reading.id)) return
  await asker.ask(reading, { method: 'GET', path, headers, wrong: 'it was deleted' }, actor)
}

/** Whether an address is one of a path, and of none that spells it out. */
const isAt = (path: string, address: string): boolean => {
  const [wanted, given] = [path.split('/'), address.split('/')]
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
  )
}

const nounOf = ({ path }: ApiOperation): string => path.split('/')[1] ?? ''

const idsIn = ({ status, body }: Answer): string[] => {
  if (status >= 400) return []
  return [...body.toString('utf8').matchAll(/"id":"([0-9a-f-]{36})"/g)].slice(0, 3).map(([, id = '']) => id)
}
