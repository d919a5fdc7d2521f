import type { ErrorObject } from 'ajv'

const maxLength = 200

/** An error of ajv as the second half of a sentence that begins with the pointer. */
export const reasonOf = ({ keyword, params, message }: ErrorObject): string => {
  const given: Readonly<Record<string, unknown>> = params
  const text = (name: string): string => quoted(given[name])
  switch (keyword) {
    case 'required':
      return `lacks ${text('missingProperty')}`
    case 'additionalProperties':
      return `does not know ${text('additionalProperty')}`
    case 'unevaluatedProperties':
      return `does not know ${text('unevaluatedProperty')}`
    case 'propertyNames':
      return `has the name ${text('propertyName')}, which is not allowed here`
    case 'type':
      return `must be ${article(given['type'])}`
    case 'enum':
      return `must be one of ${list(given['allowedValues'])}`
    case 'const':
      return `must be ${text('allowedValue')}`
    case 'format':
      return `must be a valid ${String(given['format'])}`
    case 'pattern':
      return 'does not have the form that is expected here'
    case 'uniqueItems':
      return 'holds the same item twice'
    case 'false schema':
      return 'is not allowed here'
    default:
      return (message ?? 'does not conform').replace('must NOT', 'must not').slice(0, maxLength)
  }
}

const quoted = (value: unknown): string => JSON.stringify(value ?? '').slice(0, maxLength)

const article = (type: unknown): string => {
  const names = Array.isArray(type) ? type.map(String) : String(type).split(',')
  return names.map((name) => (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`)).join(' or ')
}

const list = (values: unknown): string => {
  const all = Array.isArray(values) ? values : []
  const text = all.slice(0, 12).map(quoted).join(', ')
  return all.length > 12 ? `${text} …` : text
}
