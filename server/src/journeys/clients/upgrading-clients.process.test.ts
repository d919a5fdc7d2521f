import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { skipWithout } from '@millseal/pdf/testing'
import { sampleCertificate } from '../../../test/certificates.ts'
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

const run = promisify(execFile)
const withoutJava = await skipWithout('javac')
const withoutCurl = await skipWithout('curl')

/** Java's HttpClient as it is by default: it asks for HTTP/2 in each request over plain HTTP. */
const source = `import java.net.URI;
import java.net.http.*;
class Client {
  public static void main(String[] args) throws Exception {
    var client = HttpClient.newHttpClient();
    var read = HttpRequest.newBuilder(URI.create(args[0] + "/api/health")).build();
    var write = HttpRequest.newBuilder(URI.create(args[0] + "/api/certificates/verify?mode=test"))
      .header("content-type", "application/json").POST(HttpRequest.BodyPublishers.ofString(args[1])).build();
    for (var request : new HttpRequest[] { read, write, read })
      System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
  }
}
`

describe('a client that offers HTTP/2 over plain HTTP is answered in HTTP/1.1:', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer()
  })
  after(() => server[Symbol.asyncDispose]())

  const certificate = JSON.stringify(sampleCertificate())

  test('HttpClient of Java', { skip: withoutJava }, async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(join(folder.path, 'Client.java'), source)
    await run('javac', ['Client.java'], { cwd: folder.path })
    const { stdout } = await run('java', ['-cp', folder.path, 'Client', server.url, certificate])
    assert.deepEqual(stdout.trim().split('\n'), ['200', '200', '200'])
  })

  test('curl --http2', { skip: withoutCurl }, async () => {
    const { stdout } = await run('curl', [
      '--http2',
      '--silent',
      '--write-out',
      '%{http_code}',
      `${server.url}/api/health`,
    ])
    assert.match(stdout, /\}200$/)
    const posted = await run('curl', [
      '--http2',
      '--silent',
      '--write-out',
      '%{http_code}',
      '--header',
      'content-type: application/json',
      '--data-binary',
      certificate,
      `${server.url}/api/certificates/verify?mode=test`,
    ])
    assert.match(posted.stdout, /\}200$/)
  })
})
