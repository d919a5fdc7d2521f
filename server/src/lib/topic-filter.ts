/** Filters follow MQTT 3.1.1 §4.7; these limits are ours. */
const maxLevels = 8
const maxLength = 256

export const isTopicFilter = (filter: string): boolean => {
  // oxlint-disable-next-line no-control-regex -- the filter must not contain them.
  if (filter === '' || filter.length > maxLength || /[\u0000-\u001f\u007f]/.test(filter)) return false
  const levels = filter.split('/')
  return (
    levels.length <= maxLevels &&
    levels.every(
      (level, index) =>
        !/[+#]/.test(level) || level === '+' || (level === '#' && index === levels.length - 1),
    )
  )
}

export const matchesTopic = (filter: string, topic: string): boolean => {
  const wanted = filter.split('/')
  const levels = topic.split('/')
  if (wanted.at(-1) === '#') {
    const before = wanted.slice(0, -1)
    return levels.length >= before.length && before.every((level, index) => isLevel(level, levels[index]))
  }
  return wanted.length === levels.length && wanted.every((level, index) => isLevel(level, levels[index]))
}

const isLevel = (wanted: string, level: string | undefined): boolean => wanted === '+' || wanted === level
