interface Props {
  label: string
  percent: number
  isDone?: boolean
}

export function ProgressBar({ label, percent, isDone = false }: Props) {
  return (
    <div
      className={isDone ? 'progress done' : 'progress'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  )
}
