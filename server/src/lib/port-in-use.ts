export type PortSetting = 'MILLSEAL_PORT' | 'MILLSEAL_MQTT_PORT' | 'MILLSEAL_MQTTS_PORT'

/** Not a ConfigError: the setting may be right, and the other program wrong. */
export const portInUse = (
  { setting, host, port }: { readonly setting: PortSetting; readonly host: string; readonly port: number },
  cause: unknown,
): Error => {
  const choices = setting === 'MILLSEAL_PORT' ? 'another port' : 'another port or to off'
  return new Error(
    `Port ${port} on ${host} is in use: stop the program that uses it, or set ${setting} to ${choices}`,
    { cause },
  )
}
