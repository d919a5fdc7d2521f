// Draws the certificate with the PDF package of the original system, whose own script is only on its server. As there,
// each field is a line of its label and its value, and only the chemistry is a table.
const scalar = (value) => ['string', 'number', 'boolean'].includes(typeof value)

const label = (name, translations) =>
  translations.map((language) => language?.Certificate?.[name] ?? name).join(' / ')

const field = (name, value, translations) => ({
  columns: [
    { text: `${name} ${label(name, translations)}`, style: 'p', italics: true, width: 200 },
    { text: String(value), style: 'p' },
  ],
})

const chemistry = (elements, translations) => {
  const list = Object.entries(elements).filter(([, element]) => element?.Actual !== undefined)
  return {
    style: 'table',
    table: {
      widths: list.map(() => '*'),
      body: [
        list.map(([code]) => ({ text: code, style: 'caption' })),
        list.map(([, { Symbol: symbol }]) => ({ text: label(symbol, translations), style: 'caption' })),
        list.map(([, { Maximum }]) => ({ text: String(Maximum?.Value ?? ''), style: 'p' })),
        list.map(([, { Actual }]) => ({ text: String(Actual.Value), style: 'p' })),
      ],
    },
  }
}

const content = (name, value, translations) => {
  if (value === undefined || value === null) return []
  if (scalar(value)) {
    if (String(value).startsWith('data:image/')) return [{ image: value, width: 100 }]
    return [field(name, value, translations)]
  }
  if (Array.isArray(value)) return value.flatMap((item) => content(name, item, translations))
  if (name === 'ChemicalComposition') return [chemistry(value, translations)]
  if (value.Value !== undefined) {
    return [field(name, `${value.Value} ${value.Unit ?? ''}`, translations)]
  }
  return [
    { text: label(name, translations), style: 'h4' },
    ...Object.entries(value).flatMap(([key, item]) => content(key, item, translations)),
  ]
}

exports.generateContent = ({ Certificate }, translations) => {
  const used = Certificate.CertificateLanguages.map((language) => translations[language])
  return Object.entries(Certificate).flatMap(([name, value]) => content(name, value, used))
}
