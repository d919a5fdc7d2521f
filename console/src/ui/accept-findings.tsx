import type { ReactNode } from 'react'
import type { Finding } from '../api/findings.ts'
import { useTexts } from '../texts/catalog.ts'
import { Confirm } from './confirm.tsx'
import { FindingSentences } from './finding-sentences.tsx'

export type Found = { readonly name?: string; readonly findings: readonly Finding[] }

/** The one act that notarizes certificates although they say what does not fit together. It names each finding. */
export const AcceptFindings = ({
  certificates,
  ...props
}: {
  readonly certificates: readonly Found[]
  readonly trigger: ReactNode
  readonly isOpenAtFirst?: boolean
  readonly onConfirm: () => Promise<unknown>
}) => {
  const t = useTexts('findings')
  const count = certificates.reduce((sum, { findings }) => sum + findings.length, 0)
  return (
    <Confirm
      {...props}
      title={t.notarizeWith(count)}
      consequence={t.consequence}
      action={t.accept(count)}
      kind="primary"
    >
      {certificates.map(({ name, findings }, at) => (
        <section key={`${at} ${name}`}>
          {name !== undefined && <b>{name}</b>}
          <FindingSentences findings={findings} />
        </section>
      ))}
    </Confirm>
  )
}
