import { queryOptions } from '@tanstack/react-query'
import { api, ApiError } from '../../api/client.ts'
import { addressesIn, type Doubts, doubtsIn, type Finding, findingsIn } from '../../api/findings.ts'

export type Check = {
  readonly isValid: boolean
  readonly findings: readonly Finding[]
  readonly doubts: Doubts
  /** The addresses of the receivers; only of a valid certificate. */
  readonly addresses?: readonly string[] | undefined
  /** The bytes that were checked. */
  readonly text: string
}

export const noDoubts: Doubts = { warnings: [], findings: [] }

export const blobOf = (text: string): Blob => new Blob([text], { type: 'application/json' })

/** Asks the server about the certificate in its present state. */
export const checkQuery = ({
  draft,
  revision,
  company,
  text,
}: {
  readonly draft: string
  readonly revision: number
  readonly company: string
  readonly text: () => string
}) =>
  queryOptions({
    queryKey: ['form-check', draft, revision, company],
    gcTime: 30_000,
    // A failing call makes the shell say that the server does not answer, so it must be tried.
    networkMode: 'always',
    staleTime: Infinity,
    async queryFn({ signal }): Promise<Check> {
      const certificate = text()
      try {
        const report = await api.validateCertificate({
          query: { report: true },
          document: blobOf(certificate),
          company,
          signal,
        })
        const [doubts, addresses] = [doubtsIn(report), addressesIn(report)]
        return { isValid: true, findings: [], doubts, addresses, text: certificate }
      } catch (error) {
        const isFinding =
          error instanceof ApiError &&
          (error.code === 'certificate_invalid' || error.code === 'malformed_json')
        if (!isFinding) throw error
        return {
          isValid: false,
          findings: error.answer === undefined ? [] : findingsIn(error.answer),
          doubts: noDoubts,
          text: certificate,
        }
      }
    },
  })

/** The page of the certificate, marked as a draft until it is valid. */
export const pageQuery = (draft: string, check: Check | undefined) =>
  queryOptions({
    queryKey: ['form-page', draft, check?.text],
    enabled: check !== undefined,
    gcTime: 30_000,
    networkMode: 'always',
    staleTime: Infinity,
    async queryFn({ signal }): Promise<string> {
      const page = await api.renderCertificate({
        query: { type: 'html', draft: check?.isValid === true ? undefined : true },
        document: blobOf(check?.text ?? ''),
        signal,
      })
      return await page.text()
    },
  })
