/** The singular of a label. Labels are English plurals, some with their owner (currencies of channels). */
export function singularOf(label: string): string {
  const [plural = '', ...owners] = label.toLowerCase().split(' of ')
  return [plural.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1'), ...owners].join(' of ')
}
