import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { suiteCompany, suiteUnpublished } from '../../ports/vat-registry/vat-registry.suite.ts'

export type Question = Readonly<Record<string, string>>
export type Behaviour = (response: ServerResponse, question: Question) => void

export interface FakeVies extends AsyncDisposable {
  readonly url: string
  readonly questions: Question[]
  behave(behaviour: Behaviour): void
}

/** The fields of a VIES answer to a request without trader details. */
export const verdict = (question: Question, valid: boolean, more: object = {}): object => ({
  countryCode: question['countryCode'],
  vatNumber: question['vatNumber'],
  requestDate: '2026-02-03T04:05:06.789Z',
  valid,
  requestIdentifier: '',
  name: '---',
  address: '---',
  traderName: '---',
  traderStreet: '---',
  traderPostalCode: '---',
  traderCity: '---',
  traderCompanyType: '---',
  traderNameMatch: 'NOT_PROCESSED',
  ...more,
})

export const answerJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const honest: Behaviour = (response, question) => {
  if (question['vatNumber'] === suiteCompany.number) {
    answerJson(response, verdict(question, true, { name: suiteCompany.name, address: suiteCompany.address }))
  } else answerJson(response, verdict(question, question['vatNumber'] === suiteUnpublished.number))
}

const readQuestion = async (request: IncomingMessage): Promise<Question> => {
  const chunks = await request.toArray()
  assert.equal(request.method, 'POST')
  assert.equal(request.url, '/rest-api/check-vat-number')
  assert.equal(request.headers['content-type'], 'application/json')
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** Answers like VIES until `behave` is called. */
export const startFakeVies = async (): Promise<FakeVies> => {
  const questions: Question[] = []
  let behaviour = honest
  const server = createServer((request, response) => {
    readQuestion(request).then(
      (question) => {
        questions.push(question)
        behaviour(response, question)
      },
      (error: Error) => response.writeHead(400).end(error.message),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    url: `http://127.0.0.1:${address.port}/rest-api`,
    questions,
    behave: (next) => {
      behaviour = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
