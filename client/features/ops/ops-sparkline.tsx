import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

const usualWidth = 152
const height = 28

interface SparklineProps {
  points: readonly number[]
  failing: boolean
  label: string
  /** In pixels. */
  width?: number
}

/** Sixty points on a scale of their own; the numbers beside it carry the meaning. */
export function Sparkline({ points, failing, label, width = usualWidth }: SparklineProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const style = getComputedStyle(element)
    const colour = (name: string) => style.getPropertyValue(name).trim()
    const plot = new UPlot(
      {
        width,
        height,
        padding: [2, 0, 2, 0],
        cursor: { show: false },
        legend: { show: false },
        axes: [{ show: false }, { show: false }],
        scales: { x: { time: false }, y: { range: (_plot, _min, max) => [0, Math.max(1, max)] } },
        series: [
          {},
          {
            stroke: colour(failing ? '--lw-danger' : '--lw-accent'),
            fill: colour(failing ? '--lw-danger-soft' : '--lw-accent-soft'),
            width: 1.5,
            points: { show: false },
          },
        ],
      },
      [points.map((_, index) => index), [...points]],
      element,
    )
    return () => plot.destroy()
  }, [points, failing, width])
  return <div ref={host} role="img" aria-label={label} className="h-7" style={{ width }} />
}
