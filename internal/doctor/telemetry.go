package doctor

import "pawl/export/otel"

// examineTelemetry reports where spans are sent, if anywhere. It sends none.
func (e *Examination) examineTelemetry() {
	config, err := otel.Read(e.env)
	found := Finding{Name: "spans", Level: levelInfo, Says: "go nowhere: " + config.Off, Value: ""}
	switch {
	case err != nil:
		found.Level, found.Says, found.Do = levelNote, "go nowhere", err.Error()
	case config.On():
		found.Level, found.Says, found.Value = levelOK, "go to "+config.To()+", without prompts and answers", config.To()
		if config.Content {
			found.Says = "go to " + config.To() + ", with prompts, answers and the input of tools"
		}
		if len(config.Warnings) > 0 {
			found.Level, found.More = levelNote, config.Warnings
		}
	}
	e.add("Telemetry", found)
}
