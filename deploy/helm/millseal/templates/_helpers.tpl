{{- define "millseal.labels" -}}
app.kubernetes.io/name: millseal
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* A Deployment. Takes root, name, roles, replicas, resources and hasMqtt. */ -}}
{{- define "millseal.processes" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "millseal.labels" .root | nindent 4 }}
spec:
  replicas: {{ .replicas }}
  selector:
    matchLabels:
      {{- include "millseal.labels" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .name }}
  template:
    metadata:
      labels:
        {{- include "millseal.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .name }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 45
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile:
          type: RuntimeDefault
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "millseal.labels" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .name }}
      containers:
        - name: millseal
          image: {{ .root.Values.image | quote }}
          imagePullPolicy: {{ .root.Values.imagePullPolicy }}
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
          env:
            - name: MILLSEAL_ROLES
              value: {{ .roles | quote }}
            - name: MILLSEAL_PUBLIC_URL
              value: {{ printf "https://%s" .root.Values.host | quote }}
            {{- range $name, $value := .root.Values.settings }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
            {{- with .root.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          envFrom:
            - secretRef:
                name: {{ .root.Values.secret }}
          ports:
            - name: http
              containerPort: 8080
            {{- if .hasMqtt }}
            - name: mqtts
              containerPort: 8883
            {{- end }}
          startupProbe:
            httpGet: { path: /api/health, port: http }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /api/health, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /api/ready, port: http }
            periodSeconds: 3
            timeoutSeconds: 3
          resources:
            {{- toYaml .resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /var/lib/millseal }
            - { name: known, mountPath: /var/lib/millseal.known }
            - { name: tmp, mountPath: /tmp }
            {{- with .root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: data
          emptyDir: {}
        - name: known
          {{- with .root.Values.knownClaim }}
          persistentVolumeClaim:
            claimName: {{ . }}
          {{- else }}
          emptyDir: {}
          {{- end }}
        - name: tmp
          emptyDir: {}
        {{- with .root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "millseal.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "millseal.labels" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .name }}
{{- end }}
