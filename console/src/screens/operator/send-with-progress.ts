import { connect } from '@millseal/sdk'

/** Fetch does not report how much of a body was sent, so this uses XMLHttpRequest. */
const fetchWithProgress =
  (onProgress: (share: number) => void): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const body = await request.blob()
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const call = new XMLHttpRequest()
    call.open(request.method, request.url)
    for (const [name, value] of request.headers) call.setRequestHeader(name, value)
    call.setRequestHeader('x-millseal-console', '1')
    call.responseType = 'blob'
    call.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(total, 1)))
    call.upload.addEventListener('load', () => onProgress(1))
    call.addEventListener('load', () => {
      const { status, response } = call
      const requestId = call.getResponseHeader('x-request-id')
      const headers = new Headers(requestId === null ? [] : [['x-request-id', requestId]])
      resolve(new Response(response instanceof Blob ? response : null, { status, headers }))
    })
    call.addEventListener('error', () => reject(new TypeError('The server does not answer')))
    request.signal.addEventListener('abort', () => {
      call.abort()
      reject(new DOMException('It was stopped', 'AbortError'))
    })
    call.send(body)
    return await promise
  }

/** The client of the API with the session of this browser, whose uploads report how much was sent, from 0 to 1. */
export const clientWithProgress = (onProgress: (share: number) => void) =>
  connect({ baseUrl: location.origin, fetch: fetchWithProgress(onProgress) })
