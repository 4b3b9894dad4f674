{{- define "placard.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "placard.image" -}}
{{- $image := .Values.image -}}
{{- $repository := required "image.repository: the registry and name of your image" $image.repository -}}
{{- if $image.digest -}}
{{ $repository }}@{{ $image.digest }}
{{- else -}}
{{ $repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "placard.secret" -}}
{{- .Values.secrets.existingSecret | default (include "placard.name" .) -}}
{{- end -}}

{{/* Labels of a part: dict "root" . "part" "core" */}}
{{- define "placard.selector" -}}
app.kubernetes.io/name: placard
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "placard.labels" -}}
{{ include "placard.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{/* One probe: dict "port" "core" "path" "/readyz" */}}
{{- define "placard.probe" -}}
httpGet: { path: {{ .path }}, port: {{ .port }}, scheme: HTTP }
timeoutSeconds: 5
{{- end -}}

{{/* Secrets of a part as files: dict "root" . "part" "core" */}}
{{- define "placard.secretKeys" -}}
{{- $keys := list "postgres-url" "clickhouse-url" "redis-url" "cluster-key" -}}
{{- if eq .part "core" }}{{ $keys = append $keys "postgres-owner-url" }}{{ end -}}
{{- if .root.Values.s3Url }}{{ $keys = concat $keys (list "s3-access-key-id" "s3-secret-key") }}{{ end -}}
{{- if .root.Values.secrets.metricsToken }}{{ $keys = append $keys "metrics-token" }}{{ end -}}
{{- join " " $keys -}}
{{- end -}}

{{/* A StatefulSet of a part: dict "root" . "part" "core" "port" "core" "number" 8443 "values" .Values.core */}}
{{- define "placard.statefulSet" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $keys := splitList " " (include "placard.secretKeys" .) -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "placard.name" $root }}-{{ .part }}
  labels: {{- include "placard.labels" . | nindent 4 }}
spec:
  serviceName: {{ include "placard.name" $root }}-{{ .part }}
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  # The first core makes the cluster and migrates; afterwards the order does not matter.
  podManagementPolicy: {{ if eq .part "core" }}OrderedReady{{ else }}Parallel{{ end }}
  # A volume may hold events that were acknowledged and are not shipped: it is never deleted with its pod.
  persistentVolumeClaimRetentionPolicy: { whenDeleted: Retain, whenScaled: Retain }
  selector:
    matchLabels: {{- include "placard.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "placard.labels" . | nindent 8 }}
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: {{ $values.metricsPort | quote }}
        {{- if not $values.secrets.existingSecret }}
        checksum/secrets: {{ toYaml $values.secrets | sha256sum }}
        {{- end }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "placard.name" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ add $values.preStopSeconds $values.drainSeconds 60 }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      {{- with $values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "placard.selector" . | nindent 14 }}
      containers:
        - name: placard
          image: {{ include "placard.image" $root }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [serve, --role, {{ .part }}]
          ports:
            - { name: {{ .port }}, containerPort: {{ .number }} }
            - { name: metrics, containerPort: {{ $values.metricsPort }} }
          env:
            - { name: PLACARD_TLS, value: proxy }
            - { name: PLACARD_TRUSTED_PROXIES, value: {{ join "," $values.trustedProxies | quote }} }
            - { name: PLACARD_CORE_PUBLIC_URL, value: {{ $values.corePublicUrl | quote }} }
            - { name: PLACARD_DELIVERY_PUBLIC_URL, value: {{ $values.deliveryPublicUrl | quote }} }
            - { name: PLACARD_DEMO, value: "false" }
            - { name: PLACARD_DRAIN_SECONDS, value: {{ $values.drainSeconds | quote }} }
            - { name: PLACARD_WORKERS, value: {{ $values.delivery.workers | quote }} }
            - { name: PLACARD_NODES, value: {{ $values.delivery.replicas | quote }} }
            - { name: PLACARD_METRICS_PORT, value: {{ $values.metricsPort | quote }} }
            # The network policy says who reaches the port.
            - { name: PLACARD_METRICS_ALLOWED, value: "0.0.0.0/0,::/0" }
            {{- with $values.s3Url }}
            - { name: PLACARD_S3_URL, value: {{ . | quote }} }
            - { name: PLACARD_S3_REGION, value: {{ $values.s3Region | quote }} }
            {{- end }}
            {{- range $keys }}
            - { name: PLACARD_{{ . | upper | replace "-" "_" }}_FILE, value: /run/secrets/placard/{{ . }} }
            {{- end }}
            {{- range $name, $value := $values.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          # A first start migrates the stores: up to an hour.
          startupProbe:
            {{- include "placard.probe" (dict "port" .port "path" "/readyz") | nindent 12 }}
            periodSeconds: 5
            failureThreshold: 720
          readinessProbe:
            {{- include "placard.probe" (dict "port" .port "path" "/readyz") | nindent 12 }}
            periodSeconds: 3
            failureThreshold: 2
          # The supervisor restarts processes that hang; this is for a pod that does not respond at all, never for a slow one.
          livenessProbe:
            {{- include "placard.probe" (dict "port" .port "path" "/healthz") | nindent 12 }}
            periodSeconds: 20
            failureThreshold: 6
          lifecycle:
            preStop:
              exec: { command: [sleep, {{ $values.preStopSeconds | quote }}] }
          resources: {{- toYaml .values.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
            - { name: secrets, mountPath: /run/secrets/placard, readOnly: true }
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 2Gi }
        - name: secrets
          secret:
            secretName: {{ include "placard.secret" $root }}
            # 0440
            defaultMode: 288
            items:
              {{- range $keys }}
              - { key: {{ . }}, path: {{ . }} }
              {{- end }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $values.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests: { storage: {{ .values.storage }} }
{{- end -}}

{{/* A Service, a disruption budget: dict as above */}}
{{- define "placard.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "placard.name" .root }}-{{ .part }}
  labels: {{- include "placard.labels" . | nindent 4 }}
spec:
  selector: {{- include "placard.selector" . | nindent 4 }}
  ports:
    - { name: {{ .port }}, port: {{ .number }}, targetPort: {{ .port }} }
{{- end -}}

{{- define "placard.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "placard.name" .root }}-{{ .part }}
  labels: {{- include "placard.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels: {{- include "placard.selector" . | nindent 6 }}
{{- end -}}
