// The least a Node server can do: answers every request with the same given bytes. Started by measurements/http-stack.ts.
import { createServer } from 'node:http'

const answer: { headers: readonly string[]; body: string } = JSON.parse(process.argv[2] ?? '')

const server = createServer((_request, response) => {
  response.writeHead(200, [...answer.headers])
  response.end(answer.body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
