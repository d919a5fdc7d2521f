import type { Company, ReviewEvidence } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Facts } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { compare, type Compared, type Comparison } from './compare.ts'
import { evidenceQuery } from './queries.ts'
import { Table } from '../../ui/list/table.tsx'

const kinds = { same: 'good', differs: 'swap', silent: 'gone', unknown: 'wait' } as const
const registerKinds = { valid: 'good', invalid: 'bad', unknown: 'wait' } as const

/** The statements of the company beside those of the register. */
export const Evidence = ({ company }: { readonly company: Company }) => {
  const t = useTexts('operator').review
  const { data, error, isFetching, refetch } = useQuery(evidenceQuery(company.id))
  return (
    <Card
      title={t.compare}
      actions={
        <Button isPending={isFetching} onPress={() => void refetch()}>
          {t.askAgain}
        </Button>
      }
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <p role="status">{t.asking}</p>
      ) : (
        <Answer company={company} evidence={data} />
      )}
    </Card>
  )
}

const Answer = ({ company, evidence }: { readonly company: Company; readonly evidence: ReviewEvidence }) => {
  const t = useTexts('operator').review
  const { time } = useFormats()
  const { register, checkedAt, format, checkDigits } = evidence
  return (
    <>
      <div role="status" className="answer">
        <State kind={registerKinds[register]}>{t.registerStates[register]}</State>
        <p>
          {t.registers[register]} {checkedAt === undefined ? t.neverAsked : t.askedAt(time(checkedAt))}
        </p>
      </div>
      <Table
        label={t.compare}
        columns={[t.field, t.wrote, t.register, t.result]}
        lines={compare(company, evidence).map((field) => ({
          id: field.name,
          cells: [
            t.fields[field.name],
            <Wrote field={field} />,
            <Registered field={field} register={register} />,
            <Result result={field.result} />,
          ],
        }))}
      />
      <Facts
        facts={[
          [t.number, `${t.format}: ${t.findings[format]}. ${t.checkDigits}: ${t.findings[checkDigits]}.`],
        ]}
      />
    </>
  )
}

type FieldProps = { readonly field: Compared }

const Wrote = ({ field: { result, wrote } }: FieldProps) =>
  result === 'differs' ? <mark>{wrote}</mark> : wrote

const Registered = ({
  field: { name, result, registered },
  register,
}: FieldProps & { readonly register: ReviewEvidence['register'] }) => {
  const t = useTexts('operator').review
  if (name === 'vatId') return register === 'unknown' ? '–' : t[register === 'valid' ? 'found' : 'notFound']
  if (registered === undefined) return '–'
  const text = <span className="written">{registered}</span>
  return result === 'differs' ? <mark>{text}</mark> : text
}

const Result = ({ result }: { readonly result: Comparison }) => {
  const t = useTexts('operator').review
  return <State kind={kinds[result]}>{t.results[result]}</State>
}
